/** Why this happened, in one place (R21, R57): the chain from the effect to whose authority it ran under, the evidence, the policies, what was found. */
import { passageToShown } from '../../core/base/shown-text.ts';
import type { ChainLink, EventRow, Inspection, Neighbour, Neighbours } from '../../core/projections/trace-reader.ts';
import { useDecisionProvenance, useInspection } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { NotRecorded } from '../../ui/Chip.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { findOwnLink } from './chain-place.ts';
import { EventLink } from './EventLink.tsx';
import { InlineButton } from '../../ui/InlineButton.tsx';
import { Explained } from '../../ui/Term.tsx';
import type { Explorer } from './explorer.ts';
import { Cells, More, Section } from './InspectorParts.tsx';
import { titleToRead } from './title.ts';
import styles from './Inspector.module.css';

export function WhyTab({ inspection, explorer }: { readonly inspection: Inspection; readonly explorer: Explorer }) {
  const { chain, causes, findings, remarks, row, notes, about } = inspection;
  const { trace, branch } = explorer;
  const decision = chain.find(({ what }) => what === 'decision')?.event;
  const behind = decision === row.id ? undefined : decision;
  const decided = useInspection(trace, branch, behind);
  const matrix = useDecisionProvenance(trace, branch, decision);
  const here = findOwnLink(chain, row);
  const evidence = causes.listed.filter(isEvidence);
  const behindCauses = decided.data?.causes ?? { listed: [], unlisted: [] };
  const evidenceBehind = behindCauses.listed.filter((cause) => isEvidence(cause) && cause.row.id !== row.id);
  const cells = (matrix.data?.cells ?? []).filter(({ name }) => name === 'policies' || name === 'approvals');
  const isAuthority = ({ as }: Pick<Neighbour, 'as'>): boolean => as === 'authorized_by';
  const authority = causes.listed.filter(isAuthority);
  // Only what was chosen, or came of a choice, has grounds that could be missed.
  const isAsked = decision !== undefined || asked.has(row.family) || row.type === 'decision.made';
  return (
    <>
      {findings.length === 0 ? undefined : (
        <ul className={styles['findings']}>
          {findings.map((finding) => (
            <li key={finding.id} data-severity={finding.severity}>
              <button type="button" onClick={() => explorer.showFinding(finding.id)}>
                <Icon name={finding.severity === 'notice' ? 'info' : 'warning'} />
                {finding.title}
              </button>
            </li>
          ))}
        </ul>
      )}
      {remarks.length === 0 ? undefined : (
        <Section title="About its record">
          <ul className={styles['remarks']}>
            {remarks.map(({ message, severity }) => (
              <li key={message} data-severity={severity}>
                <Icon name={severity === 'problem' ? 'warning' : 'info'} size={12} />
                <span>{passageToShown(message)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {about.listed.length === 0 ? undefined : (
        <Section title="What it is about">
          {about.listed.map((target) => (
            <EventLink key={target.id} row={target} explorer={explorer} />
          ))}
          <More count={about.unlisted} one="event" />
        </Section>
      )}
      {notes.listed.length === 0 ? undefined : (
        <Section title="What was noted on it">
          {notes.listed.map((note) => (
            <Note key={note.id} note={note} explorer={explorer} />
          ))}
          <More count={notes.unlisted} one="note" />
        </Section>
      )}
      <Section title="How it came about">
        <ol className={styles['chain']}>
          {chain.map((link, at) => (
            <Link key={`${link.what}-${at}`} link={link} isHere={at === here} explorer={explorer} />
          ))}
        </ol>
      </Section>
      {isAsked || evidence.length + evidenceBehind.length > 0 ? (
        <Section
          title="On which evidence"
          end={evidence.length === 0 && evidenceBehind.length > 0 ? <Through /> : undefined}
        >
          {evidence.length === 0 && behind !== undefined && !decided.isSuccess ? (
            <Awaited of={decided} label="Reading the decision" lines={2} />
          ) : (
            <Evidence
              neighbours={evidence.length > 0 ? evidence : evidenceBehind}
              unlisted={countUnlisted(evidence.length > 0 ? causes : behindCauses, isEvidence)}
              explorer={explorer}
            />
          )}
        </Section>
      ) : undefined}
      {isAsked || cells.length + authority.length > 0 ? (
        <Section
          title="Under which policy and approval"
          end={cells.length > 0 && behind !== undefined ? <Through /> : undefined}
        >
          {decision !== undefined && !matrix.isSuccess ? (
            <Awaited of={matrix} label="Reading the provenance" lines={2} />
          ) : cells.length > 0 ? (
            <Cells cells={cells} explorer={explorer} />
          ) : (
            <Evidence neighbours={authority} unlisted={countUnlisted(causes, isAuthority)} explorer={explorer} />
          )}
        </Section>
      ) : undefined}
    </>
  );
}

/** Families of acts that somebody chose. */
const asked: ReadonlySet<string> = new Set(['tool', 'effect']);

function isEvidence({ as }: Pick<Neighbour, 'as'>): boolean {
  return as === 'informed_by' || as === 'consumed';
}

function countUnlisted({ unlisted }: Neighbours, isMeant: (one: Pick<Neighbour, 'as'>) => boolean): number {
  return unlisted.reduce((sum, one) => (isMeant(one) ? sum + one.count : sum), 0);
}

/** What follows was found by way of the decision, not in the event itself (R61). */
function Through() {
  return <span className={styles['basis']}>through the decision</span>;
}

/** Who noted what, with the words themselves: a note is read here, and its record is one press away. */
function Note({ note, explorer }: { readonly note: EventRow; readonly explorer: Explorer }) {
  const { value } = titleToRead(note.title);
  return (
    <>
      <EventLink row={note} explorer={explorer} />
      {value === undefined ? undefined : <p className={styles['said']}>{value}</p>}
    </>
  );
}

function Evidence({
  neighbours,
  unlisted,
  explorer,
}: {
  readonly neighbours: readonly Neighbour[];
  readonly unlisted: number;
  readonly explorer: Explorer;
}) {
  if (neighbours.length === 0) return <NotRecorded />;
  return (
    <>
      {neighbours.map(({ row, as }) => (
        <EventLink key={`${as}-${row.id}`} row={row} explorer={explorer} />
      ))}
      <More count={unlisted} one="event" />
    </>
  );
}

function Link({
  link,
  isHere,
  explorer,
}: {
  readonly link: ChainLink;
  readonly isHere: boolean;
  readonly explorer: Explorer;
}) {
  const { what, value, event, basis } = link;
  const word = value ?? event;
  return (
    <li data-here={isHere}>
      <span className={styles['what']}>{what}</span>
      <span className={styles['value']}>
        {word === undefined ? (
          <NotRecorded />
        ) : event === undefined || event === explorer.event ? (
          word
        ) : (
          <InlineButton onPress={() => explorer.select(event)}>{word}</InlineButton>
        )}
        {basis === 'derived' ? (
          <span className={styles['basis']}>
            <Explained text="derived" />
          </span>
        ) : undefined}
      </span>
    </li>
  );
}
