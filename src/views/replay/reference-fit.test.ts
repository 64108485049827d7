import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findFitting } from './reference-fit.ts';

const programs = ['temporal-openai-agents', 'temporal-openai-research', 'temporal-adk'].map((id) => ({
  id,
  source: readFileSync(join(import.meta.dirname, `../../../public/programs/${id}.js`), 'utf8'),
}));

it('the shipped program whose loop a run has is found by the names it asks for, and none where they are other names', () => {
  const asked = (model: string, configurations: number) => [
    { kind: 'read', name: 'opening' },
    ...Array.from({ length: configurations }, () => ({ kind: 'read', name: 'configuration' })),
    ...Array.from({ length: 4 }, () => ({ kind: 'model', name: model })),
  ];
  expect(findFitting(programs, asked('invoke_model_activity', 1))?.id).toBe('temporal-openai-agents');
  expect(findFitting(programs, asked('invoke_model_activity', 3))?.id).toBe('temporal-openai-research');
  expect(findFitting(programs, asked('invoke_model', 2))?.id).toBe('temporal-adk');
  expect(findFitting(programs, asked('another', 1))).toBeUndefined();
  // Two that say the same are not told apart.
  expect(findFitting([...programs, ...programs], asked('invoke_model', 2))).toBeUndefined();
});
