/** The last day of a share, as it is written into it and as the form judges it. */

/** A day ends with its last second, at Greenwich: the page of the reviewer asks no other clock. */
export function dayToExpires(day: string): string {
  return `${day}T23:59:59Z`;
}

/** `now`: RFC 3339. A copy that has expired opens nowhere. */
export function expiryProblem(day: string, now: string): string | undefined {
  return day === '' || dayToExpires(day) > now ? undefined : 'This day is over: nobody could open the copy.';
}
