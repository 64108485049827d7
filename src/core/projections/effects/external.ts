/**
 * Whether a dispatch reaches outside, for one event of a view at a time: by its own record, or as its tool is declared. One answer
 * for rows, cones, filters and insertion points, and the same that the ledger gives.
 *
 * Invariant: bodies are read only where a declaration names the tool, which the columns tell.
 */
import { type Declarations, computeDeclarations } from '../../model/index.ts';
import type { TraceView } from '../trace-view.ts';
import { isExternal } from './declarations.ts';
import { viewEvent } from './view-event.ts';

const declaredByView = new WeakMap<TraceView, ReadonlySet<number>>();

export function isExternalDispatch(view: TraceView, position: number): boolean {
  return view.index.has(position, 'externalDispatch') || declaredOutside(view).has(position);
}

/** Dispatches whose own record says nothing and whose tool is declared to reach outside. */
function declaredOutside(view: TraceView): ReadonlySet<number> {
  const known = declaredByView.get(view);
  if (known !== undefined) return known;
  const found = new Set<number>();
  const declarations = computeDeclarations(view.ofType('stream.declared').map((position) => viewEvent(view, position)));
  const names = [...declarations.tools.values()].flatMap(({ name, effect }) => (effect === 'external' ? [name] : []));
  if (names.length > 0) addDeclared(view, new Set(names), declarations, found);
  declaredByView.set(view, found);
  return found;
}

function addDeclared(
  view: TraceView,
  names: ReadonlySet<string>,
  declarations: Declarations,
  found: Set<number>,
): void {
  const { tools, labels } = view.index.columns;
  const named = new Map<number, string | undefined>();
  for (let i = 0; i < tools.at.length; i++) named.set(tools.at[i] ?? 0, labels[tools.name[i] ?? 0]);
  for (const position of view.ofType('tool_call.dispatched')) {
    if (view.index.has(position, 'externalDispatch')) continue;
    const name = named.get(position);
    if (name !== undefined && !names.has(name)) continue;
    const event = view.event(position);
    if (event.type === 'tool_call.dispatched' && isExternal(event, declarations)) found.add(position);
  }
}
