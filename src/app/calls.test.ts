import { expect, it } from 'vitest';
import { countCalls, isCalling, subscribeToCalls } from './calls.ts';

it('a call is under way until who waited for its answer has gone on, also where it fails', async () => {
  const told: boolean[] = [];
  const stop = subscribeToCalls(() => told.push(isCalling()));
  const answers = [() => 'done', () => Promise.reject(new Error('stopped'))];
  const client = countCalls({
    // Cast: the test's answer stands for whatever the method returns.
    call: async () => Promise.resolve((await answers.shift()?.()) as never),
  });
  const call = client.call('goldens', []);
  expect(isCalling()).toBe(true);
  expect(await call).toBe('done');
  expect(isCalling()).toBe(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect(isCalling()).toBe(false);
  await expect(client.call('goldens', [])).rejects.toThrow('stopped');
  await new Promise((resolve) => setTimeout(resolve));
  expect(told).toEqual([true, false, true, false]);
  stop();
});
