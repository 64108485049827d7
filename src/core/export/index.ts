/** Export of a trace: the own stream and OTLP JSON. */
export { type ExportForm, type ExportSource, exportForms, exportName, exportToParts } from './export.ts';
