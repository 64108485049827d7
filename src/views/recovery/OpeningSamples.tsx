/** Samples being opened one after another: which one, the way to stop, or why one was not opened. */
import { Button } from '../../ui/Button.tsx';
import { Message } from '../../ui/Message.tsx';
import { Progress } from '../../ui/Progress.tsx';
import type { SampleTrials } from './sample-trials.ts';

export function OpeningSamples({
  samples: { turn, failure, dismiss },
}: {
  readonly samples: Pick<SampleTrials, 'turn' | 'failure' | 'dismiss'>;
}) {
  if (turn === undefined) return undefined;
  const { title, at, of, cancel } = turn;
  if (failure !== undefined) {
    return (
      <Message
        title={`“${title}” was not opened`}
        tone="problem"
        icon="warning"
        actions={<Button onPress={dismiss}>Dismiss</Button>}
      >
        {failure}
      </Message>
    );
  }
  return (
    <div role="status">
      <p>
        Opening {at + 1} of {of}: {title} <Button onPress={cancel}>Cancel</Button>
      </p>
      <Progress label="Opening the samples" share={at / of} />
    </div>
  );
}
