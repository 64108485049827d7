/** The words that the share panel and the page in its preview frame say to each other. */
export const previewFragment = '#preview';
export const previewReady = 'hindcast-preview-ready';
export const previewShown = 'hindcast-preview-shown';
