interface ManifestChunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

export const firstLoadBudget: number;
export function listFirstScripts(manifest: Readonly<Record<string, ManifestChunk>>, entry: string): readonly string[];
export function reportFirstLoad(folder: string): boolean;
