/** What the page reads, and what it promises. */
import { Icon } from '../../ui/Icons.tsx';
import styles from './About.module.css';

const formats = [
  {
    name: 'Hindcast stream',
    sign: '*.hindcast.jsonl',
    what: 'one event a line, as the recording runtime writes it; replayable',
  },
  {
    name: 'Claude Code session',
    sign: '*.jsonl + subagents/',
    what: 'a session file, or its whole folder with the sub-agents',
  },
  {
    name: 'OpenTelemetry',
    sign: 'OTLP, Jaeger, Zipkin, Phoenix',
    what: 'spans and logs of a run joined, in every dialect of the GenAI conventions',
  },
  {
    name: 'Platforms and frameworks',
    sign: 'Langfuse, LangSmith, LangGraph, OpenAI Agents, Inspect',
    what: 'exports, state histories and evaluation logs',
  },
  {
    name: 'Durable engines',
    sign: 'Temporal, Inngest',
    what: 'workflow histories and traces of runs; a Temporal agent replays with its program beside it',
  },
  {
    name: 'Coding agents',
    sign: 'Codex, Gemini CLI, OpenCode, OpenHands, SWE-agent and others',
    what: 'sessions and trajectories, with sub-agents where they are recorded',
  },
  {
    name: 'Recovery trials',
    sign: 'streams of harness, worker and services',
    what: 'judged on the Recovery page; tables of Restate, DBOS and LangGraph join their trial',
  },
] as const;

const promises = [
  'Nothing leaves this machine unless you send it.',
  'No account, no server, no telemetry, no request to anyone else.',
  'Traces are kept in this browser until you delete them, and the page works offline after the first visit.',
  'What a trace contains is shown as text. It never runs.',
] as const;

export function About() {
  return (
    <div className={styles['about']}>
      <section aria-labelledby="formats-title">
        <h2 id="formats-title">What it reads</h2>
        <dl className={styles['formats']}>
          {formats.map(({ name, sign, what }) => (
            <div key={name}>
              <dt>
                {name} <code>{sign}</code>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <p className={styles['note']}>
          Told by content, not by name; plain, gzip (several members too), zstd or zip. One object a line is enough to
          try.
        </p>
      </section>
      <section aria-labelledby="promise-title">
        <h2 id="promise-title">What it promises</h2>
        <ul className={styles['promises']}>
          {promises.map((promise) => (
            <li key={promise}>
              <Icon name="check" />
              {promise}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
