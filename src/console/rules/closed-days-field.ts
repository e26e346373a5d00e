// The form's field for closed days: dates that people paste. Its style is in hours-grid.css. Pure.
import { type Html, html } from '../../html/html.ts';
import { field } from '../components.ts';

/** @param value What is stored, one date or range a line; or what was refused. */
export const closedDaysField = (value: string, error?: string): Html =>
  field({
    name: 'closedDays',
    label: 'Closed days',
    hint: html`No email leaves on these days. One a line: <code>2026-12-24</code>, or <code>2026-12-24..2026-12-26</code>. Or paste the lines of a calendar (.ics).`,
    rows: 6,
    value,
    error,
  });
