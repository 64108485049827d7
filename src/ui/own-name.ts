/**
 * For a popover that is a dialog itself: it is called by its own label, and not by the button that opened it.
 *
 * A dialog inside of a popover would leave the buttons by which assistive technology closes it outside of every landmark.
 */
export const ownName = { 'aria-labelledby': '' } as const;
