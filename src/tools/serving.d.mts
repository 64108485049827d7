import type { Server } from 'node:http';

export function argumentsToStart(args: readonly string[]): {
  readonly port?: number;
  readonly opens?: boolean;
  readonly help?: string;
  readonly error?: string;
};
export function serveSite(options: {
  readonly folder: string;
  readonly port?: number | undefined;
  readonly usual?: number;
}): Promise<{
  readonly served?: { readonly server: Server; readonly address: string };
  readonly address?: string;
  readonly said?: string;
  readonly error?: string;
}>;
