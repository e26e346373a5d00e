// Durations of ISO 8601 in weeks, days, hours, minutes and seconds. Pure.

const FORM = /^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/;
const SECONDS = [7 * 86_400, 86_400, 3_600, 60, 1];

/** 90061 of `P1DT1H1M1S`. Undefined: it isn't a duration, or has months, which have no fixed length. */
export function parseSeconds(text: string): number | undefined {
  const parts = FORM.exec(text)?.slice(1);
  if (parts === undefined || parts.every((part) => part === undefined)) return undefined;
  return parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (SECONDS[index] ?? 0), 0);
}
