/**
 * Calls into the interpreter without the library's handles around them, for the two that every delivery makes.
 *
 * Owns nothing but pointers: those of the one runtime and the one context of an instance, caught where the library makes them. Invariant:
 * what a call returns is freed before the next one; errors that the interpreter returns are dropped, as `session.ts` drops them everywhere.
 * Used by `engine.ts` (makes it) and `session.ts`.
 */
import type {
  JSContextPointer,
  JSContextPointerPointer,
  JSRuntimePointer,
  JSValueConstPointerPointer,
  QuickJSFFI,
  QuickJSHandle,
  QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { assert } from '../../core/base/assert.ts';

export interface DirectCalls {
  /** Calls a function of the guest that takes nothing and whose answer nobody needs. */
  call(fn: QuickJSHandle): void;
  hasJobs(): boolean;
  /** Runs jobs until none is left or one fails. */
  runJobs(): void;
}

interface Pointers {
  readonly runtime: JSRuntimePointer;
  readonly context: JSContextPointer;
  readonly lastContext: JSContextPointerPointer;
}

/** The same variant, and where its calls can be reached once it has made a context. */
export function withDirectCalls(variant: QuickJSSyncVariant): {
  readonly variant: QuickJSSyncVariant;
  readonly calls: DirectCalls;
} {
  const found: { ffi?: QuickJSFFI; pointers?: Pointers } = {};
  const ready = (): { readonly ffi: QuickJSFFI; readonly pointers: Pointers } => {
    const { ffi, pointers } = found;
    assert(ffi !== undefined && pointers !== undefined, 'the interpreter has a context before it is called');
    return { ffi, pointers };
  };
  const importFFI: QuickJSSyncVariant['importFFI'] = async () => {
    const Base = await variant.importFFI();
    return class extends Base {
      constructor(module: ConstructorParameters<typeof Base>[0]) {
        super(module);
        const newContext = this.QTS_NewContext;
        found.ffi = this;
        this.QTS_NewContext = (runtime, intrinsics) => {
          const context = newContext(runtime, intrinsics);
          // Cast: four bytes of the instance's own memory, which is what this pointer is.
          found.pointers = { runtime, context, lastContext: module._malloc(4) as JSContextPointerPointer };
          return context;
        };
      }
    };
  };
  // Cast: no argument is read through it.
  const noArguments = 0 as JSValueConstPointerPointer;
  const calls: DirectCalls = {
    call(fn) {
      const { ffi, pointers } = ready();
      const answer = ffi.QTS_Call(pointers.context, fn.value, ffi.QTS_GetUndefined(), 0, noArguments);
      ffi.QTS_FreeValuePointer(pointers.context, answer);
    },
    hasJobs() {
      const { ffi, pointers } = ready();
      return ffi.QTS_IsJobPending(pointers.runtime) !== 0;
    },
    runJobs() {
      const { ffi, pointers } = ready();
      const answer = ffi.QTS_ExecutePendingJob(pointers.runtime, -1, pointers.lastContext);
      ffi.QTS_FreeValuePointer(pointers.context, answer);
    },
  };
  return { variant: { ...variant, importFFI }, calls };
}
