/**
 * The endpoint a person asks models at during replays, as typed; with its key.
 *
 * Invariant: memory alone. It is gone with the page, and nothing of it is in the address, in a store or in a log.
 */
import { create } from 'zustand';

export interface LiveSettings {
  readonly api: 'chat-completions' | 'messages';
  readonly base: string;
  readonly model: string;
  readonly key: string;
  readonly maxTokens: string;
  readonly temperature: string;
  /** Of a million tokens. */
  readonly inputPrice: string;
  readonly outputPrice: string;
  readonly currency: string;
}

export const useLiveSettings = create<LiveSettings>(() => ({
  api: 'chat-completions',
  base: '',
  model: '',
  key: '',
  maxTokens: '1024',
  temperature: '',
  inputPrice: '',
  outputPrice: '',
  currency: 'USD',
}));

export function changeLiveSettings(change: Partial<LiveSettings>): void {
  useLiveSettings.setState(change);
}
