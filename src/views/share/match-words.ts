/**
 * Where a text was found in what leaves: in which field of which record, and which row of the redaction that field belongs to.
 *
 * A number of nanoseconds may hold the digits of a ticket: who looks must be able to tell. Called by `Leaving.tsx`.
 */
import { type Rule, fieldsOf, valueClasses } from '../../core/redaction/index.ts';
import type { LeavingMatch } from '../../core/share/search.ts';

const times = 'Times';
const structure = 'structure of the record';

/** Members of the envelope, whose classes no rule of a payload names. */
const envelope: ReadonlyMap<string, string> = new Map([
  ['time', times],
  ['mono', times],
  ['observed', times],
  ['agent', classToLabel('agents')],
  ['principal', classToLabel('people')],
  ['source', classToLabel('components')],
  ['session', classToLabel('sessions')],
  ['step', classToLabel('sessions')],
  ['command', classToLabel('names')],
]);

/** “data.result of e-7 (tool_call.completed) · Tool results”. */
export function matchToPlace({ record, path, isName = false }: LeavingMatch): string {
  if (record === undefined) return path === undefined ? 'a line that is no record' : 'title, note or first view';
  const of = `${record.id} (${record.type})`;
  if (path === undefined) return `over several fields of ${of}`;
  return `${isName ? 'the name of ' : ''}${path.join('.')} of ${of} · ${pathToClass(record.type, path)}`;
}

/** The row of the redaction, as it is labelled there. */
function pathToClass(type: string, [first = '', ...rest]: readonly string[]): string {
  if (first !== 'data') return envelope.get(first) ?? structure;
  let fields = fieldsOf(type);
  for (const name of rest) {
    const rule = Object.hasOwn(fields, name) ? itemOf(fields[name]) : undefined;
    if (rule === undefined) return classToLabel('attributes');
    if (rule.is !== 'object') return ruleToLabel(rule);
    ({ fields } = rule);
  }
  return structure;
}

function itemOf(rule: Rule | undefined): Rule | undefined {
  let here = rule;
  while (here?.is === 'list') here = here.item;
  return here;
}

function ruleToLabel(rule: Rule): string {
  if ('class' in rule) return classToLabel(rule.class);
  if (rule.is === 'error') return classToLabel('errors');
  return rule.is === 'time' || rule.is === 'moment' ? times : structure;
}

function classToLabel(wanted: (typeof valueClasses)[number]['id']): string {
  return valueClasses.find(({ id }) => id === wanted)?.label ?? wanted;
}
