/**
 * The five sections of a campaign and of a trial, in one order and always all of them: what a section has nothing for is said in it.
 *
 * Invariant: no value combines two of them. Called by CampaignPanel.tsx and TrialPanel.tsx.
 */
import type { ReactNode } from 'react';
import { type CampaignReport, type Section, sectionTitles } from '../../core/recovery/index.ts';
import { NotMeasured } from './NotMeasured.tsx';
import { Part } from './Part.tsx';

export interface SectionContent {
  readonly lead?: ReactNode;
  readonly body?: ReactNode;
}

export interface SectionsProps {
  readonly campaign: CampaignReport;
  readonly content: Readonly<Record<Section, SectionContent>>;
}

export function Sections({ campaign, content }: SectionsProps) {
  return sectionTitles.map(([id, title]) => {
    const { lead, body } = content[id];
    return (
      <Part key={id} id={id} title={title} lead={lead}>
        {body}
        <NotMeasured campaign={campaign} section={id} />
      </Part>
    );
  });
}
