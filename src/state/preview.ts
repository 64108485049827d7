/** The words that the share panel and the page in its preview frame say to each other. */
/** Address at which a share file is opened that came without a link. */
export const shareFileFragment = '#share-file';
export const previewFragment = '#preview';
export const previewReady = 'hindcast-preview-ready';
/** The frame has opened the copy it was given. */
export const previewOpened = 'hindcast-preview-opened';
export const previewShown = 'hindcast-preview-shown';
