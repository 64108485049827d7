/**
 * What a command reads from and writes to the world (mapping H, replay I3 and I4).
 *
 * Names are compared by prefix at `/`. A tool that declares nothing meets whatever its service touches; a tool of an
 * unknown service meets every write.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import type { ToolInfo } from './run-info.ts';
import { doNamesMeet } from './resource-names.ts';

/** `names` absent: not declared. */
export interface Touch {
  readonly names: readonly string[] | undefined;
  readonly service: string | undefined;
}

export interface TouchSource {
  readonly name: string;
  readonly args: JsonValue | undefined;
  readonly url?: string | undefined;
}

export function touchOf(
  own: readonly string[] | undefined,
  of: 'reads' | 'writes',
  source: TouchSource,
  tools: ReadonlyMap<string, ToolInfo>,
): Touch {
  const tool = tools.get(source.name);
  const declared = own ?? tool?.[of];
  return {
    names: declared?.map((name) => fillName(name, source.args)),
    service: tool?.service ?? hostOf(source.url),
  };
}

/** `{arg}` and `{arg.member}` from the arguments; a place that cannot be filled stays, and meets only by what is before it. */
export function fillName(name: string, args: JsonValue | undefined): string {
  return name.replace(/\{([^{}]+)\}/g, (whole, path: string) => {
    let value: JsonValue | undefined = args;
    for (const part of path.split('.')) {
      value = isJsonObject(value) ? value[part] : isJsonArray(value) ? value[Number(part)] : undefined;
    }
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole;
  });
}

/** The resource on which a read meets a write, in words; `undefined` when they do not meet. */
export function meeting(read: Touch, write: Touch): string | undefined {
  if (read.names !== undefined && write.names !== undefined) {
    for (const name of read.names) if (write.names.some((other) => doNamesMeet(name, other))) return name;
    return undefined;
  }
  if (write.names?.length === 0 || read.names?.length === 0) return undefined;
  if (read.service === undefined || write.service === undefined) return 'world-unknown';
  return read.service === write.service ? `world-unknown (${read.service})` : undefined;
}

function hostOf(url: string | undefined): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/?#]+)/i.exec(url ?? '')?.[1];
}
