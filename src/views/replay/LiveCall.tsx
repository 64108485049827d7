/**
 * A live model call for one command that waits: where it goes, what is sent, and the one press that confirms both (replay 3.8).
 *
 * Only a model is ever asked. Tools and effects are not called, here or anywhere in a replay.
 */
import { useEffect, useRef, useState } from 'react';
import type { JsonObject, JsonValue } from '../../core/base/json.ts';
import { answerToCall, argsToMessages, createLiveRequest, textToValue } from '../../core/live/index.ts';
import { useAskModel } from '../../data/replay-view.ts';
import { type LiveSettings, changeLiveSettings, useLiveSettings } from '../../state/live-endpoint.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { jsonToText } from '../../ui/json-text.ts';
import { settingsToEndpoint, settingsToPrices, textToMessages } from './live-settings.ts';
import { Segments } from './Segments.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Sheet.module.css';

export interface LiveCallProps {
  readonly session: ReplaySession;
  readonly path: string;
  readonly name: string;
  readonly args: JsonValue | undefined;
  /** What the program is used to receive here; decides whether text or JSON is taken of the answer. */
  readonly seen: JsonValue | undefined;
  /** `call` is what is recorded of it. */
  readonly onAnswer: (value: JsonValue, call: JsonObject) => void;
  readonly onClose: () => void;
}

const apis = [
  { id: 'chat-completions', label: 'chat completions (OpenAI-compatible)' },
  { id: 'messages', label: 'messages (Anthropic)' },
] as const;

export function LiveCall({ session, path, name, args, seen, onAnswer, onClose }: LiveCallProps) {
  const settings = useLiveSettings();
  const askModel = useAskModel();
  const [text, setText] = useState(() => jsonToText(argsToMessages(args).map((message) => ({ ...message }))));
  const [state, setState] = useState<'idle' | 'asking'>('idle');
  const [problem, setProblem] = useState<string>();
  const asking = useRef<AbortController>(undefined);
  // Ends the request when the dialog goes.
  useEffect(() => () => asking.current?.abort(), []);
  const endpoint = settingsToEndpoint(settings);
  const messages = textToMessages(text);
  const request =
    endpoint.ok && messages.ok ? createLiveRequest(endpoint.value, messages.value, settings.key) : undefined;
  const origin = request === undefined ? undefined : new URL(request.url).origin;
  const send = (): void => {
    if (!endpoint.ok || !messages.ok) return;
    const own = new AbortController();
    asking.current = own;
    setState('asking');
    setProblem(undefined);
    const asked = { endpoint: endpoint.value, messages: messages.value };
    askModel({ trace: session.trace, path, key: settings.key, ...asked }, own.signal).then(
      (answer) => {
        if (own.signal.aborted) return;
        const call = answerToCall({ ...asked, answer, prices: settingsToPrices(settings) });
        onAnswer(textToValue(answer.text, seen), call);
        onClose();
      },
      (error: unknown) => {
        if (own.signal.aborted) return;
        setState('idle');
        setProblem(error instanceof Error ? error.message : String(error));
      },
    );
  };
  return (
    <Dialog
      title={`Ask a model for ${name}`}
      isOpen
      size="large"
      onClose={onClose}
      actions={
        <>
          {state === 'asking' ? <span className={styles['soft']}>Waiting for the answer…</span> : undefined}
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={request === undefined || state === 'asking'} onPress={send}>
            {origin === undefined ? 'Send' : `Send this to ${origin}`}
          </Button>
        </>
      }
    >
      <div className={styles['dialog']}>
        <p>
          One request goes to the address below, and only what is shown here is in it. The answer is recorded on the new
          branch as a live call, with its parameters, usage and price. No tool is called and no effect is executed.
        </p>
        <Segments
          label="Interface"
          items={apis}
          selected={settings.api}
          onSelect={(api) => changeLiveSettings({ api })}
        />
        <Endpoint settings={settings} problem={endpoint.ok || settings.base === '' ? undefined : endpoint.error} />
        <JsonEditor
          label="Messages that are sent"
          text={text}
          onText={setText}
          problems={messages.ok ? [] : [messages.error]}
          note="Made of what the program asks. You may change them before they are sent."
        />
        {request === undefined ? undefined : (
          <details>
            <summary>The whole request</summary>
            <p className={styles['soft']}>
              POST <code>{request.url}</code>, with the headers {Object.keys(request.headers).join(', ')}. The key is in
              none of the records.
            </p>
            <pre className={styles['body']}>{JSON.stringify(request.body, undefined, 2)}</pre>
          </details>
        )}
        {problem === undefined ? undefined : (
          <p className={styles['danger']} role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Endpoint({ settings, problem }: { readonly settings: LiveSettings; readonly problem: string | undefined }) {
  const set = (name: keyof LiveSettings) => (value: string) => changeLiveSettings({ [name]: value });
  return (
    <div className={styles['fields']}>
      <Field
        label="Address"
        type="url"
        value={settings.base}
        onChange={set('base')}
        placeholder={settings.api === 'messages' ? 'https://api.anthropic.com/v1' : 'https://api.openai.com/v1'}
        problem={problem}
      />
      <Field label="Model" value={settings.model} onChange={set('model')} />
      <label className={styles['secret']}>
        <span>Key</span>
        <input
          type="password"
          autoComplete="off"
          value={settings.key}
          onChange={(event) => set('key')(event.target.value)}
        />
        <small>Kept in the memory of this page until it is closed, nowhere else.</small>
      </label>
      <Field label="Most tokens" value={settings.maxTokens} onChange={set('maxTokens')} />
      <Field
        label="Temperature"
        value={settings.temperature}
        onChange={set('temperature')}
        placeholder="as the service has it"
      />
      <Field
        label="Price of a million input tokens"
        value={settings.inputPrice}
        onChange={set('inputPrice')}
        placeholder="not known"
      />
      <Field
        label="Price of a million output tokens"
        value={settings.outputPrice}
        onChange={set('outputPrice')}
        placeholder="not known"
      />
      <Field label="Currency" value={settings.currency} onChange={set('currency')} />
    </div>
  );
}
