/**
 * `hindcast redact FILE -o OUT [--policy POLICY.json] [--keep CLASS,…] [--json]`: writes the copy that a share would carry.
 *
 * The same code as the share panel makes the copy. Nothing is written when anything fails.
 */
import { access, writeFile } from 'node:fs/promises';
import { type Result, err, ok } from '../core/base/result.ts';
import { createBranches } from '../core/causal/index.ts';
import { mainBranch } from '../core/model/index.ts';
import {
  type RedactionPolicy,
  type ValueClass,
  closedPolicy,
  openClasses,
  parsePolicy,
  valueClasses,
} from '../core/redaction/index.ts';
import { type Copy, computeCopyReplay, emptyCopyToSentence, makeCopy, omissionToWords } from '../core/share/index.ts';
import { freshSecret } from '../platform/crypto/share-cipher.ts';
import type { OpenSettings } from './check.ts';
import { writeFailure } from './failures.ts';
import { toOutput } from './left-out.ts';
import { openPaths } from './opened.ts';
import { type Outcome, unusable } from './output.ts';
import { readJsonFile } from './option-files.ts';
import { toPercent } from './progress.ts';

export interface RedactSettings extends OpenSettings {
  readonly out: string;
  readonly policy?: string | undefined;
  /** Names of classes to keep, separated by commas. */
  readonly keep?: string | undefined;
}

export async function runRedact(path: string, settings: RedactSettings): Promise<Outcome> {
  const policy = await readPolicy(settings);
  if (!policy.ok) return unusable({ code: 'policy', message: policy.error }, settings.json);
  const opened = await openPaths([path], settings);
  if (!opened.ok) return unusable(opened.error, settings.json);
  if (await exists(settings.out)) {
    return unusable(
      { code: 'exists', message: `${settings.out} exists already. Choose another name, or remove it first.` },
      settings.json,
    );
  }
  const { index, source } = opened.value;
  const branches = createBranches(index, source);
  const copy = makeCopy(index, source, branches, {
    selection: { branches: [mainBranch], scope: { kind: 'all' } },
    policy: policy.value,
    secret: freshSecret(),
    title: 'redacted copy',
    onProgress: (done, of) => settings.onProgress?.(`Redacting${toPercent(done, of)}`),
  });
  if (copy.events === 0) {
    const message = `${emptyCopyToSentence(branches, mainBranch)} A run as it was recorded stands on "${mainBranch}".`;
    return unusable({ code: 'no-events', message }, settings.json);
  }
  try {
    await writeFile(settings.out, copy.payload.stream, { flag: 'wx' });
  } catch (error) {
    const message = writeFailure('The copy', settings.out, error);
    return unusable({ code: 'not-writable', message }, settings.json);
  }
  const text = copyToText(copy, policy.value, settings.out);
  return {
    code: 0,
    out: toOutput(settings.json, copyToReport(copy, policy.value), text, opened.value.leftOut()),
  };
}

async function readPolicy(settings: RedactSettings): Promise<Result<RedactionPolicy, string>> {
  const base =
    settings.policy === undefined
      ? ok(closedPolicy)
      : await readJsonFile('The redaction policy', settings.policy, parsePolicy);
  if (!base.ok || settings.keep === undefined) return base;
  const opened: ValueClass[] = [];
  for (const name of settings.keep.split(',')) {
    const known = valueClasses.find(({ id }) => id === name.trim());
    if (known === undefined)
      return err(`There is no class "${name.trim()}". Known: ${valueClasses.map(({ id }) => id).join(', ')}.`);
    opened.push(known.id);
  }
  return ok(openClasses(base.value, opened));
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

/** The `--json` form; documented in README.md. */
function copyToReport(copy: Copy, policy: RedactionPolicy): object {
  return {
    policy: policy.name,
    events: copy.events,
    omitted: copy.omitted,
    classes: copy.leaves,
    holes: copy.holes.length,
    replays: computeCopyReplay(copy.payload.stream).replays,
  };
}

function copyToText(copy: Copy, policy: RedactionPolicy, out: string): string {
  const labels = new Map<string, string>(valueClasses.map(({ id, label }) => [id, label]));
  const classes = copy.leaves.map(({ class: cls, kept, pseudonyms, withheld }) => {
    const parts = [
      kept > 0 ? `${String(kept)} kept` : '',
      pseudonyms > 0 ? `${String(pseudonyms)} replaced by pseudonyms` : '',
      withheld > 0 ? `${String(withheld)} withheld` : '',
    ];
    // The name that --keep takes, and what the page calls it.
    return `  ${cls.padEnd(14)}${parts.filter((part) => part !== '').join(', ')} (${labels.get(cls) ?? cls})`;
  });
  const omission = omissionToWords(copy);
  return [
    `Wrote ${out}: ${counted(copy.events, 'event')}, ${counted(copy.holes.length, 'hole')}, policy ${policy.name}.`,
    ...(omission === undefined ? [] : [`Not in it, and counted in it: ${omission}.`]),
    ...classes,
    computeCopyReplay(copy.payload.stream).sentence,
  ].join('\n');
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
