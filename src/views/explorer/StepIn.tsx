/** Beside a dispatch that nobody is known to have answered; says what it means to who points at it. */
import { Chip } from '../../ui/Chip.tsx';
import { stepInMeaning, stepInWord } from '../../ui/legend-marks.ts';

export function StepIn() {
  return (
    <Chip tone="warning" title={stepInMeaning}>
      {stepInWord}
    </Chip>
  );
}
