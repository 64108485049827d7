/** The tabs of the inspector, in their order; their names stand in addresses. */
export const inspectorTabs = ['why', 'payload', 'causes', 'identity', 'state', 'provenance', 'raw'] as const;
export type InspectorTab = (typeof inspectorTabs)[number];

export function textToInspectorTab(text: string | undefined): InspectorTab {
  return inspectorTabs.find((tab) => tab === text) ?? 'why';
}

/** The tab before or after the one shown, round the ends. */
export function stepTab(shown: string | undefined, step: 1 | -1): InspectorTab {
  const at = inspectorTabs.indexOf(textToInspectorTab(shown)) + step;
  return inspectorTabs[(at + inspectorTabs.length) % inspectorTabs.length] ?? 'why';
}
