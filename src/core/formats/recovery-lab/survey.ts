/**
 * First pass: what the second needs to know wherever it stands in the files. Ids, types and process identities, no payloads but the
 * envelopes of trials.
 *
 * Invariant: what is inferred here depends on ids, process ids and `seq`, never on the order of lines or files.
 */
import { createNumberedRecords } from './numbered.ts';
import { countAt, idAt, type LabRecord, lifeOf, textAt } from './record.ts';

export interface LifeInfo {
  readonly component: string;
  readonly instance: string | undefined;
  readonly boot: string | undefined;
}

/** The lives of one process id. */
interface Lives {
  readonly byLife: Map<string, LifeInfo>;
  /** The first life under each name of a boot, and the first without one. */
  readonly byBoot: Map<string | undefined, string>;
}

const noLives: Lives = { byLife: new Map(), byBoot: new Map() };

export interface TrialInfo {
  readonly run: string;
  readonly engine: string | undefined;
  readonly points: string | undefined;
  readonly startedAt: string | undefined;
}

export interface Survey {
  readonly add: (record: LabRecord) => void;
  readonly typeOf: (id: string) => string | undefined;
  /** The kind of a command, from the records that name it. */
  readonly kindOf: (run: string, cmd: string) => 'model' | 'write' | undefined;
  readonly envelopeOf: (run: string) => LabRecord | undefined;
  readonly isStarted: (run: string) => boolean;
  /** The last selection of this step in this life before `seq` (rule `lab-step-name`). */
  readonly selectionOf: (record: LabRecord, step: string) => string | undefined;
  /** The last acknowledgement of this command in this life before `seq` (rule `lab-same-command`). */
  readonly answerOf: (record: LabRecord) => string | undefined;
  readonly spawnOf: (record: LabRecord) => string | undefined;
  /** The arming under this number; of several, the last that the same writer had recorded before (rule `lab-ordinal`). */
  readonly armedOf: (record: LabRecord, ordinal: number | undefined) => string | undefined;
  /**
   * The kill that was sent to this process, what it recorded at its kill point, and its life. Processes of one id (each in a container
   * of its own) are told apart by the last start that the same writer had recorded before.
   */
  readonly sentTo: (record: LabRecord, pid: number | undefined) => string | undefined;
  readonly reachedBy: (record: LabRecord, pid: number | undefined) => string | undefined;
  readonly lifeOfPid: (record: LabRecord, pid: number | undefined) => LifeInfo | undefined;
  readonly trials: () => readonly TrialInfo[];
  readonly recordsOf: (run: string) => number;
}

export function createSurvey(): Survey {
  const types = new Map<string, string>();
  const kinds = new Map<string, 'model' | 'write'>();
  const envelopes = new Map<string, LabRecord>();
  const trials = new Map<string, TrialInfo>();
  const selections = createNumberedRecords();
  const answers = createNumberedRecords();
  /** By writer and number. */
  const armed = createNumberedRecords();
  const byKey = new Map<string, string>();
  /** By run and process id. */
  const lives = new Map<string, Lives>();
  /** Kills sent and processes started, by writer and process id. */
  const sent = createNumberedRecords();
  const spawned = createNumberedRecords();
  const bootBySpawn = new Map<string, string>();
  const counts = new Map<string, number>();

  function add(record: LabRecord): void {
    const { id, type, run, cmd, pid } = record;
    types.set(id, type);
    counts.set(run, (counts.get(run) ?? 0) + 1);
    if (cmd !== undefined) {
      const kind = commandKind(type);
      if (kind !== undefined) kinds.set(`${run}|${cmd}`, kind);
    }
    if (pid !== undefined && record.component !== 'harness') {
      const key = `${run}|${pid}`;
      const own = lives.get(key) ?? { byLife: new Map(), byBoot: new Map() };
      lives.set(key, own);
      own.byLife.set(lifeOf(record), record);
      if (!own.byBoot.has(record.boot)) own.byBoot.set(record.boot, lifeOf(record));
    }
    addByType(record);
  }

  function addByType(record: LabRecord): void {
    const { id, type, run, data } = record;
    switch (type) {
      case 'trial_started':
        trials.set(run, toTrial(record));
        return;
      case 'trial_envelope':
        envelopes.set(run, record);
        return;
      case 'action_selected':
        selections.add(`${lifeOf(record)}|${record.step ?? ''}`, record);
        return;
      case 'tool_result_acknowledged':
        answers.add(`${lifeOf(record)}|${record.cmd ?? ''}`, record);
        return;
      case 'worker_spawned':
        byKey.set(`spawned|${run}|${idAt(data, 'worker_boot') ?? ''}`, id);
        bootBySpawn.set(id, idAt(data, 'worker_boot') ?? '');
        spawned.add(`${lifeOf(record)}|${String(countAt(data, 'pid'))}`, record);
        return;
      case 'kill_armed':
        byKey.set(`armed|${run}|${String(countAt(data, 'ordinal'))}`, id);
        armed.add(`${lifeOf(record)}|${String(countAt(data, 'ordinal'))}`, record);
        return;
      case 'kill_sent':
        byKey.set(`sent|${run}|${String(countAt(data, 'pid'))}`, id);
        sent.add(`${lifeOf(record)}|${String(countAt(data, 'pid'))}`, record);
        return;
      case 'kill_point_reached':
        byKey.set(`reached|${run}|${String(record.pid)}`, id);
        byKey.set(`reached by|${lifeOf(record)}`, id);
        return;
      default:
        return;
    }
  }

  function isShared(run: string, pid: number): boolean {
    return (lives.get(`${run}|${pid}`)?.byLife.size ?? 0) > 1;
  }

  /** Key of the life of the process of this id when the record was written. */
  function lifeAt(record: LabRecord, pid: number): string | undefined {
    const { byLife, byBoot } = lives.get(`${record.run}|${pid}`) ?? noLives;
    if (byLife.size < 2) return [...byLife.keys()][0];
    return byBoot.get(bootBySpawn.get(spawned.before(`${lifeOf(record)}|${pid}`, record.seq) ?? ''));
  }

  return {
    add,
    typeOf: (id) => types.get(id),
    kindOf: (run, cmd) => kinds.get(`${run}|${cmd}`),
    envelopeOf: (run) => envelopes.get(run),
    isStarted: (run) => trials.has(run),
    selectionOf: (record, step) => selections.before(`${lifeOf(record)}|${step}`, record.seq),
    answerOf: (record) => answers.before(`${lifeOf(record)}|${record.cmd ?? ''}`, record.seq),
    spawnOf: ({ run, boot }) => byKey.get(`spawned|${run}|${boot ?? ''}`),
    armedOf: (record, ordinal) => {
      if (ordinal === undefined) return undefined;
      const own = `${lifeOf(record)}|${ordinal}`;
      return armed.countOf(own) > 1 ? armed.before(own, record.seq) : byKey.get(`armed|${record.run}|${ordinal}`);
    },
    sentTo: (record, pid) => {
      if (pid === undefined) return undefined;
      if (!isShared(record.run, pid)) return byKey.get(`sent|${record.run}|${pid}`);
      return sent.before(`${lifeOf(record)}|${pid}`, record.seq);
    },
    reachedBy: (record, pid) => {
      if (pid === undefined) return undefined;
      if (!isShared(record.run, pid)) return byKey.get(`reached|${record.run}|${pid}`);
      const key = lifeAt(record, pid);
      return key === undefined ? undefined : byKey.get(`reached by|${key}`);
    },
    lifeOfPid: (record, pid) => {
      const key = pid === undefined ? undefined : lifeAt(record, pid);
      return key === undefined ? undefined : lives.get(`${record.run}|${pid}`)?.byLife.get(key);
    },
    trials: () => [...trials.values()],
    recordsOf: (run) => counts.get(run) ?? 0,
  };
}

function commandKind(type: string): 'model' | 'write' | undefined {
  if (type.startsWith('model_')) return 'model';
  return type.startsWith('tool_') || type.startsWith('effect_') ? 'write' : undefined;
}

function toTrial({ run, data, raw }: LabRecord): TrialInfo {
  const points = data['kill_points'];
  return {
    run,
    engine: textAt(data, 'engine'),
    points: Array.isArray(points) ? points.filter((point) => point !== null).join(', ') : undefined,
    startedAt: textAt(raw, 'wall'),
  };
}
