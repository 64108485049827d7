/** The last resort: a defect becomes a sentence with what to do, never a blank page. The trace is safe where it is stored. */
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Message } from '../ui/Message.tsx';

interface Props {
  readonly children: ReactNode;
  /** A change of it means another place was gone to: try again. */
  readonly place: string;
  readonly onLeave: () => void;
}

interface State {
  readonly problem: string | undefined;
  readonly place: string;
}

function errorToText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { problem: undefined, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { problem: errorToText(error) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.place === state.place ? null : { place: props.place, problem: undefined };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    // To the page's error handlers too, with the place, so that it is not only on screen.
    reportError(new Error(`While drawing: ${errorToText(error)}${info.componentStack ?? ''}`, { cause: error }));
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <Message
        title="This view could not be drawn"
        tone="problem"
        icon="warning"
        actions={
          <>
            <Button kind="primary" onPress={() => this.setState({ problem: undefined })}>
              Try again
            </Button>
            <Button onPress={this.props.onLeave}>Go to the library</Button>
          </>
        }
      >
        <p>A defect in Hindcast, not in your trace: what is stored is untouched.</p>
        <p>
          <code>{problem}</code>
        </p>
      </Message>
    );
  }
}
