import type { Server } from 'node:http';

export interface ServeOptions {
  readonly folder: string;
  readonly port: number;
  readonly mount?: string;
  readonly headers?: boolean;
  readonly host?: string;
}
export function serve(options: ServeOptions): Promise<{ readonly server: Server; readonly address: string }>;
