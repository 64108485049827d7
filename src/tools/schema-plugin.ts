/**
 * Publishes the JSON Schemas of the event format, of recovery claims and of golden cases with the site, made from the schemas that the page itself uses.
 */
import type { Plugin } from 'vite';

export function schemaPlugin(): Plugin {
  return {
    name: 'hindcast-schema',
    apply: 'build',
    async generateBundle() {
      // Loaded when a site is built, and only then: unit tests and the development server read this configuration too.
      const { eventJsonSchema } = await import('../core/model/index.ts');
      const source = `${JSON.stringify(eventJsonSchema(), undefined, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'schema/event-1.json', source });
      const { claimJsonSchema } = await import('../core/recovery/index.ts');
      const claim = `${JSON.stringify(claimJsonSchema(), undefined, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'schema/claim-1.json', source: claim });
      const { goldenJsonSchema } = await import('../core/golden/index.ts');
      const golden = `${JSON.stringify(goldenJsonSchema(), undefined, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'schema/golden-1.json', source: golden });
    },
  };
}
