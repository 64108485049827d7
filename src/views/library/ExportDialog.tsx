/** A trace as a file for other programs, in one of two forms. Nothing is withheld in it, and the dialog says so. */
import { useState } from 'react';
import { type ExportForm, type TraceRecord, useExportTrace } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { notify } from '../../ui/notices.ts';
import { saveFile } from '../../ui/save-file.ts';

export function ExportDialog({ trace, onClose }: { readonly trace: TraceRecord; readonly onClose: () => void }) {
  const exportTrace = useExportTrace();
  const [isBusy, setBusy] = useState(false);
  const save = (form: ExportForm): void => {
    setBusy(true);
    exportTrace(trace, form)
      .then(({ file, name }) => {
        saveFile(file, name);
        onClose();
      })
      .catch((error: unknown) => {
        setBusy(false);
        notify(`The trace could not be exported: ${error instanceof Error ? error.message : String(error)}`, {
          tone: 'problem',
        });
      });
  };
  return (
    <Dialog
      title={`Export “${trace.name}”`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="primary" isDisabled={isBusy} onPress={() => save('hindcast')}>
            Hindcast stream
          </Button>
          <Button isDisabled={isBusy} onPress={() => save('otlp')}>
            OTLP JSON
          </Button>
        </>
      }
    >
      <p>
        The Hindcast stream holds every event as it is stored, one a line. OTLP JSON holds spans that any OpenTelemetry
        tool shows, and on them the same events. Both open here again as the same trace.
      </p>
      <p>Nothing is withheld in an export. To give a trace away, share a redacted copy of it.</p>
    </Dialog>
  );
}
