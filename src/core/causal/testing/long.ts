/**
 * Long chains and wide fans, for tests of size. Made from one parsed event, because a hundred thousand drawings are slow.
 */
import { type HindcastEvent, eventId } from '../../model/index.ts';
import { drawTrace } from '../../model/testing/trace.ts';

/** Each event caused by the one before; the first by the last when `closed`. Neither numbers nor times. */
export function chainEvents(count: number, closed = false): readonly HindcastEvent[] {
  const model = drawTrace('model step.started noseq notime').event('model');
  return Array.from({ length: count }, (_, i) => {
    const cause = i > 0 ? i - 1 : closed ? count - 1 : -1;
    const id = eventId(`e${i}`);
    return cause < 0 ? { ...model, id } : { ...model, id, causes: [{ event: eventId(`e${cause}`), as: 'caused_by' }] };
  });
}

/** One event and `count` effects of it, all with the same number in one log. */
export function fanEvents(count: number, seq?: number): readonly HindcastEvent[] {
  const model = drawTrace('model step.started noseq notime').event('model');
  const leaf = {
    ...model,
    ...(seq === undefined ? {} : { seq }),
    causes: [{ event: model.id, as: 'caused_by' as const }],
  };
  return [model, ...Array.from({ length: count }, (_, i) => ({ ...leaf, id: eventId(`leaf${i}`) }))];
}
