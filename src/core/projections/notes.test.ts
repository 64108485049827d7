import { describe, expect, it } from 'vitest';
import { eventId, mainBranch } from '../model/index.ts';
import { drawReader } from './testing/drawn-reader.ts';

const by = '"annotator":{"id":"maya","kind":"human"}';

const reader = drawReader(`
  worker:
    run  run.started {}
    act  step.started <- run {"name":"a"}
    end  step.completed <- act {"name":"a"}
  review:
    n1  annotation.made {${by},"target":"act","label":"wrong","body":"the wrong queue"}
    n2  annotation.made {${by},"target":{"event":"act"},"label":"again"}
    n3  annotation.made {${by},"target":["act",{"id":"end"}],"label":"both"}
    n4  annotation.made <- end {${by},"target":"obs-77","label":"score"}
    n5  annotation.made {${by},"target":"gone","label":"lost"}
    n6  annotation.made {${by},"target":"n6","label":"itself"}
    n7  annotation.made {${by},"target":{"trial":4},"label":"trial"}
`);

function of(id: string, side: 'notes' | 'about'): readonly string[] | undefined {
  return reader.inspect(mainBranch, eventId(id))?.[side].listed.map((row) => row.id);
}

describe('R83, R84 notes', () => {
  it('stand with the event they name, however they name it, and else with what they came of', () => {
    expect(of('act', 'notes')).toEqual(['n1', 'n2', 'n3']);
    expect(of('end', 'notes')).toEqual(['n3', 'n4']);
    expect(of('run', 'notes')).toEqual([]);
    expect(reader.inspect(mainBranch, eventId('act'))?.notes.listed[0]?.title).toBe(
      'maya noted wrong: the wrong queue',
    );
  });

  it('lead to what they are about, and to nothing where that is not here', () => {
    expect(['n1', 'n2', 'n3', 'n4'].map((id) => of(id, 'about'))).toEqual([['act'], ['act'], ['act', 'end'], ['end']]);
    expect(['n5', 'n6', 'n7', 'act'].map((id) => of(id, 'about'))).toEqual([[], [], [], []]);
  });
});
