import { describe, expect, it } from 'vitest';
import { useLiveSettings } from '../../state/live-endpoint.ts';
import { settingsToEndpoint, settingsToPrices, textToMessages } from './live-settings.ts';

const typed = { ...useLiveSettings.getInitialState(), base: ' https://api.example/v1 ', model: 'm' };

describe('what is typed about an endpoint', () => {
  it('is an endpoint when it can be asked, and a sentence when not', () => {
    expect(settingsToEndpoint(typed)).toEqual({
      ok: true,
      value: { api: 'chat-completions', base: 'https://api.example/v1', model: 'm', maxTokens: 1024 },
    });
    expect(settingsToEndpoint({ ...typed, temperature: '0.2' })).toMatchObject({ value: { temperature: 0.2 } });
    for (const wrong of [{ base: '' }, { model: '' }, { maxTokens: 'many' }, { temperature: 'hot' }])
      expect(settingsToEndpoint({ ...typed, ...wrong }).ok).toBe(false);
  });

  it('has a price only where both are numbers', () => {
    expect(settingsToPrices(typed)).toBeUndefined();
    expect(settingsToPrices({ ...typed, inputPrice: '2', outputPrice: '' })).toBeUndefined();
    expect(settingsToPrices({ ...typed, inputPrice: '2', outputPrice: 'x' })).toBeUndefined();
    expect(settingsToPrices({ ...typed, inputPrice: '0', outputPrice: '8', currency: ' ' })).toEqual({
      input: 0,
      output: 8,
      currency: 'USD',
    });
  });
});

describe('what is sent', () => {
  it.each([
    ['[{"role":"user","content":"hi"}]', true],
    ['[]', false],
    ['{}', false],
    ['[{"role":"tool","content":"hi"}]', false],
    ['[{"role":"user","content":[]}]', false],
    ['[', false],
  ])('%s', (text, isFine) => {
    expect(textToMessages(text).ok).toBe(isFine);
  });
});
