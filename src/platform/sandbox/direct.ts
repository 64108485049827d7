/**
 * Calls into the interpreter without the library's handles around them, for those that every delivery makes.
 *
 * Owns nothing but pointers: those of the one runtime and the one context of an instance, caught where the library makes them. Invariant:
 * what a call returns is freed before the next one; errors that the interpreter returns are dropped, as `session.ts` drops them everywhere.
 * Used by `engine.ts` (makes it) and `session.ts`.
 */
import type {
  JSContextPointer,
  JSContextPointerPointer,
  JSRuntimePointer,
  JSValueConstPointer,
  JSValueConstPointerPointer,
  OwnedHeapCharPointer,
  QuickJSFFI,
  QuickJSHandle,
  QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { assert } from '../../core/base/assert.ts';

export interface DirectCalls {
  /** Calls a function of the guest that takes nothing and whose answer nobody needs. */
  call(fn: QuickJSHandle): void;
  /** The same with one text as the argument. */
  callWith(fn: QuickJSHandle, text: string): void;
  /** Calls a function of the guest that takes nothing and gives a text; undefined where it threw. */
  callForText(fn: QuickJSHandle): string | undefined;
  hasJobs(): boolean;
  /** Runs jobs until none is left or one fails. */
  runJobs(): void;
}

interface Ready {
  readonly ffi: QuickJSFFI;
  readonly module: Emscripten;
  readonly pointers: Pointers;
}

interface Pointers {
  readonly runtime: JSRuntimePointer;
  readonly context: JSContextPointer;
  readonly lastContext: JSContextPointerPointer;
  /** The interpreter's "undefined", which never moves. */
  readonly nothing: JSValueConstPointer;
  /** Room for the address of one argument. */
  readonly oneArgument: JSValueConstPointerPointer;
}

type Emscripten = ConstructorParameters<Awaited<ReturnType<QuickJSSyncVariant['importFFI']>>>[0];

/** The same variant, and where its calls can be reached once it has made a context. */
export function withDirectCalls(variant: QuickJSSyncVariant): {
  readonly variant: QuickJSSyncVariant;
  readonly calls: DirectCalls;
} {
  const found: { ready?: Ready } = {};
  const ready = (): Ready => {
    assert(found.ready !== undefined, 'the interpreter has a context before it is called');
    return found.ready;
  };
  const importFFI: QuickJSSyncVariant['importFFI'] = async () => {
    const Base = await variant.importFFI();
    return class extends Base {
      constructor(module: ConstructorParameters<typeof Base>[0]) {
        super(module);
        const newContext = this.QTS_NewContext;
        this.QTS_NewContext = (runtime, intrinsics) => {
          const context = newContext(runtime, intrinsics);
          // Casts: four bytes of the instance's own memory each, which is what these pointers are.
          const lastContext = module._malloc(4) as JSContextPointerPointer;
          const oneArgument = module._malloc(4) as JSValueConstPointerPointer;
          found.ready = {
            ffi: this,
            module,
            pointers: { runtime, context, lastContext, nothing: this.QTS_GetUndefined(), oneArgument },
          };
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
      const answer = ffi.QTS_Call(pointers.context, fn.value, pointers.nothing, 0, noArguments);
      ffi.QTS_FreeValuePointer(pointers.context, answer);
    },
    callWith(fn, text) {
      const { ffi, module, pointers } = ready();
      const size = module.lengthBytesUTF8(text) + 1;
      // Cast: the address of a text that ends in a zero.
      const chars = module._malloc(size) as OwnedHeapCharPointer;
      module.stringToUTF8(text, chars, size);
      const value = ffi.QTS_NewString(pointers.context, chars);
      module._free(chars);
      for (let n = 0; n < 4; n++) module.HEAPU8[pointers.oneArgument + n] = value >>> (8 * n);
      const answer = ffi.QTS_Call(pointers.context, fn.value, pointers.nothing, 1, pointers.oneArgument);
      ffi.QTS_FreeValuePointer(pointers.context, value);
      ffi.QTS_FreeValuePointer(pointers.context, answer);
    },
    callForText(fn) {
      const { ffi, module, pointers } = ready();
      const answer = ffi.QTS_Call(pointers.context, fn.value, pointers.nothing, 0, noArguments);
      const error = ffi.QTS_ResolveException(pointers.context, answer);
      if (error !== 0) {
        ffi.QTS_FreeValuePointer(pointers.context, error);
        ffi.QTS_FreeValuePointer(pointers.context, answer);
        return undefined;
      }
      const chars = ffi.QTS_GetString(pointers.context, answer);
      const text = module.UTF8ToString(chars);
      ffi.QTS_FreeCString(pointers.context, chars);
      ffi.QTS_FreeValuePointer(pointers.context, answer);
      return text;
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
