/**
 * Any two branches of this trace, or runs of the library, beside each other: the first field that differs, then every command, states and
 * the end. After a replay it is the fresh branch beside its parent.
 */
import {
  type BranchPlace,
  useBranchLines,
  useBranchNames,
  useComparedSides,
  useSummary,
  useTraces,
} from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { momentToText } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { branchesToOptions, defaultSides, placeToText, textToPlace } from './compare-places.ts';
import { CompareResult, type CompareResultProps } from './CompareResult.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Sheet.module.css';

export interface CompareProps {
  readonly session: ReplaySession;
  /** The sides as they stand in the address. */
  readonly here: string | undefined;
  readonly there: string | undefined;
  readonly onSides: (sides: { readonly here: string | undefined; readonly there: string | undefined }) => void;
}

export function Compare({ session, here, there, onSides }: CompareProps) {
  const { trace, branch, result, facts } = session;
  const summary = useSummary(trace);
  const names = useBranchNames(trace);
  const lines = useBranchLines(trace);
  const traces = useTraces();
  const problem = summary.error ?? traces.error;
  if (problem !== null) {
    return (
      <Message title="The branches could not be read" tone="problem" icon="warning">
        {problem.message}
      </Message>
    );
  }
  if (summary.data === undefined || traces.data === undefined) return <Waiting label="Reading the branches" />;
  const { branches } = summary.data;
  const made =
    result !== undefined && result.report.stored && result.request.base === branch ? result.report.branch : undefined;
  const known = branches.some(({ id }) => id === made) ? made : undefined;
  const given = defaultSides(branch, known, branches);
  const read = (text: string | undefined): BranchPlace | undefined => textToPlace(text, trace, facts.run, traces.data);
  const left = read(here ?? given.here);
  const right = read(there ?? given.there);
  const named = branchesToOptions(branches, names.data ?? {}, momentToText);
  // A replay that was continued is one line of work: its latest stands in the list, its stops apart.
  const isStop = ({ id }: { readonly id: string }): boolean => lines.data?.latestOf.has(id) === true;
  // Beside another run a branch of this trace is called with its trace.
  const own = traces.data.find(({ id }) => id === trace)?.name ?? 'this trace';
  const isBesideOther = left !== undefined && right !== undefined && left.trace !== right.trace;
  const withTrace = (one: Options['branches'][number]): Options['branches'][number] =>
    isBesideOther ? { id: one.id, label: `${own}, ${one.label}` } : one;
  const options: Options = {
    branches: named.filter((one) => !isStop(one)).map(withTrace),
    stops: named.filter(isStop).map(withTrace),
    traces: traces.data.filter(({ id }) => id !== trace).map(({ id, name }) => ({ id: `${id}/main`, label: name })),
  };
  const textOf = (place: BranchPlace | undefined): string => (place === undefined ? '' : placeToText(place, trace));
  const nameIn = (place: BranchPlace): string => nameOf(options, textOf(place));
  const choose = (side: 'here' | 'there') => (text: string) =>
    onSides({ here: textOf(left), there: textOf(right), [side]: text });
  return (
    <section className={styles['sheet']} aria-label="Compare">
      <header className={styles['head']}>
        <h2>Two branches or runs beside each other</h2>
        <div className={styles['sides']}>
          <SideChoice label="Compare A" value={textOf(right)} options={options} onChange={choose('there')} />
          <SideChoice label="with B" value={textOf(left)} options={options} onChange={choose('here')} />
          <Button
            kind="quiet"
            icon="replay"
            isDisabled={left === undefined || right === undefined}
            onPress={() => onSides({ here: textOf(right), there: textOf(left) })}
          >
            Swap
          </Button>
        </div>
      </header>
      {left === undefined || right === undefined ? (
        <Message title="Choose what to compare it with" icon="branch">
          {branches.length > 1
            ? 'Any branch of this trace, or another run of the library.'
            : 'This trace has no branch yet: a replay with a change makes one. Or choose another run of the library.'}
        </Message>
      ) : (
        <Compared
          left={left}
          right={right}
          names={{ here: nameIn(left), there: nameIn(right) }}
          onClear={() => onSides({ here: undefined, there: undefined })}
        />
      )}
    </section>
  );
}

interface ComparedProps {
  readonly left: BranchPlace;
  readonly right: BranchPlace;
  readonly names: CompareResultProps['names'];
  readonly onClear: () => void;
}

function Compared({ left, right, names, onClear }: ComparedProps) {
  const compared = useComparedSides(left, right);
  if (compared.error !== null) {
    return (
      <Message
        title="These two could not be compared"
        tone="problem"
        icon="warning"
        actions={<Button onPress={onClear}>Choose again</Button>}
      >
        {compared.error.message}
      </Message>
    );
  }
  if (compared.data === undefined) return <Waiting label="Comparing" lines={8} />;
  return <CompareResult compared={compared.data} left={left} right={right} names={names} />;
}

interface Options {
  /** Earlier stops of replays that were continued. */
  readonly stops: readonly { readonly id: string; readonly label: string }[];
  readonly branches: readonly { readonly id: string; readonly label: string }[];
  readonly traces: readonly { readonly id: string; readonly label: string }[];
}

function nameOf({ branches, stops, traces }: Options, id: string): string {
  return [...branches, ...stops, ...traces].find((one) => one.id === id)?.label ?? id;
}

interface SideChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: Options;
  readonly onChange: (text: string) => void;
}

function SideChoice({ label, value, options, onChange }: SideChoiceProps) {
  const isKnown = [...options.branches, ...options.stops, ...options.traces].some(({ id }) => id === value);
  return (
    <label className={styles['side']}>
      <span>{label}</span>
      <select value={isKnown ? value : ''} onChange={(event) => onChange(event.target.value)}>
        {isKnown ? undefined : <option value="">choose a branch or run</option>}
        <OptionGroup label="Branches of this trace" options={options.branches} />
        <OptionGroup label="Earlier stops of replays that were continued" options={options.stops} />
        <OptionGroup label="Other runs of the library" options={options.traces} />
      </select>
    </label>
  );
}

function OptionGroup({ label, options }: { readonly label: string; readonly options: Options['branches'] }) {
  if (options.length === 0) return undefined;
  return (
    <optgroup label={label}>
      {options.map(({ id, label: name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
