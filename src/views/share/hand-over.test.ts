import { expect, it } from 'vitest';
import { handOver } from './hand-over.ts';

it('gives a share away only after the access log knows of it', async () => {
  const acts: string[] = [];
  const act = (name: string) => () => {
    acts.push(name);
    return Promise.resolve(name);
  };
  const give = (sealed: string): void => {
    acts.push(`give ${sealed}`);
  };
  await handOver({ seal: act('seal'), record: act('record'), give });
  expect(acts).toEqual(['seal', 'record', 'give seal']);
  const full = () => Promise.reject(new Error('The log is full.'));
  await expect(handOver({ seal: act('seal'), record: full, give })).rejects.toThrow('The log is full.');
  expect(acts.filter((name) => name.startsWith('give'))).toHaveLength(1);
});
