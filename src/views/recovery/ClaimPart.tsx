/** A claim of the person, dropped, picked or pasted, and its verdict clause by clause with the evidence of each trial. */
import { useRef, useState } from 'react';
import type { CampaignReport, ClaimVerdict, ClauseVerdict } from '../../core/recovery/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Field } from '../../ui/Field.tsx';
import { countOf } from '../../ui/format.ts';
import { useFileDrop } from '../../ui/drops.ts';
import { EventRefs, TrialRef } from './EventRef.tsx';
import { FileButton, readFile } from './FileButton.tsx';
import type { Links } from './links.ts';
import { clauseTones } from './words.ts';
import styles from './Parts.module.css';

/** Texts of the person: the claim, the envelope of today, and the ledger of a service. */
export interface Claimed {
  readonly claim?: string;
  readonly present?: string;
  readonly ledger?: { readonly name: string; readonly text: string };
}

export interface ClaimPartProps {
  readonly campaign: CampaignReport;
  readonly links: Links;
  readonly claimed: Claimed;
  readonly onClaimed: (claimed: Claimed) => void;
  readonly problem: string | undefined;
}

export function ClaimPart({ campaign, links, claimed, onClaimed, problem }: ClaimPartProps) {
  const [text, setText] = useState(claimed.claim ?? '');
  const judge = (claim: string): void => onClaimed(claim.trim() === '' ? withoutClaim(claimed) : { ...claimed, claim });
  const take = (read: string): void => {
    setText(read);
    judge(read);
  };
  const block = useRef<HTMLDivElement>(null);
  useFileDrop(block, (file) => readFile(file, take));
  return (
    <div className={styles['block']} ref={block}>
      <Field
        label="Claim (JSON)"
        value={text}
        onChange={setText}
        isLong
        problem={problem}
        placeholder='{"fault": …, "protects": …, "continuation": …, "clauses": [{"id": …, "text": …, "metric": "duplicates", "predicate": "= 0"}]}'
        help={
          <>
            Paste one, drop a <code>CLAIM.json</code> here, or choose it. Its schema is published with the site as{' '}
            <code>schema/claim-1.json</code>.
          </>
        }
      />
      <div className={styles['acts']}>
        <Button kind="primary" isDisabled={text.trim() === ''} onPress={() => judge(text)}>
          Judge the claim
        </Button>
        <FileButton id="claim-file" label="Choose a claim file" onText={take} />
        {claimed.claim === undefined ? undefined : (
          <Button
            kind="quiet"
            onPress={() => {
              setText('');
              onClaimed(withoutClaim(claimed));
            }}
          >
            Take the claim away
          </Button>
        )}
        <FileButton
          id="envelope-file"
          label="Compare with an envelope of today"
          onText={(present) => onClaimed({ ...claimed, present })}
        />
      </div>
      {campaign.claimNote === undefined ? undefined : <p role="status">{campaign.claimNote}</p>}
      {campaign.claims.length === 0 ? undefined : (
        <ul className={styles['verdicts']}>
          {campaign.claims.map((verdict) => (
            <li key={verdict.strategy}>
              <Verdict verdict={verdict} links={links} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function withoutClaim({ present, ledger }: Claimed): Claimed {
  return { ...(present === undefined ? {} : { present }), ...(ledger === undefined ? {} : { ledger }) };
}

const mostShown = 12;

function Verdict({
  verdict: { strategy, verdict, text, scope, clauses },
  links,
}: {
  readonly verdict: ClaimVerdict;
  readonly links: Links;
}) {
  const tone = verdict === 'failed' ? 'danger' : verdict === 'not established' ? 'warning' : 'ok';
  return (
    <>
      <h3>
        {strategy} <Chip tone={tone}>{verdict}</Chip>
      </h3>
      <p>
        {text}. {scope}
      </p>
      <DataTable label={`Clauses for ${strategy}`}>
        <thead>
          <tr>
            <th scope="col">Clause</th>
            <th scope="col">Verdict</th>
            <th scope="col">Why</th>
            <th scope="col">Observed</th>
          </tr>
        </thead>
        <tbody>
          {clauses.map((clause) => (
            <tr key={clause.id}>
              <th scope="row">
                <b>{clause.id}</b> {clause.text}
              </th>
              <td>
                <Chip tone={clauseTones[clause.verdict]}>{clause.verdict}</Chip>
              </td>
              <td>{clause.reason}</td>
              <td>
                <Observed clause={clause} links={links} />
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </>
  );
}

function Observed({ clause, links }: { readonly clause: ClauseVerdict; readonly links: Links }) {
  if (clause.trials.length === 0) return <span className={styles['faint']}>nothing</span>;
  return (
    <details open={clause.verdict === 'failed'}>
      <summary>{countOf(clause.trials.length, 'trial')}</summary>
      <ul className={styles['bullets']}>
        {clause.trials
          .toSorted((a, b) => Number(a.holds ?? false) - Number(b.holds ?? false))
          .slice(0, mostShown)
          .map(({ trial, holds, observed, events }) => (
            <li key={trial}>
              {holds === undefined ? 'open' : holds ? 'holds' : 'fails'}: <TrialRef links={links} trial={trial} />,{' '}
              {observed} <EventRefs links={links} trial={trial} events={events} />
            </li>
          ))}
        {clause.trials.length > mostShown ? <li>and {clause.trials.length - mostShown} more</li> : undefined}
      </ul>
    </details>
  );
}
