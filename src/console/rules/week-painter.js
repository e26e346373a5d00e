// Opening hours: redraws the picture of the week while times change, lets a mouse paint on it, and fills in the presets.
const DAY = 1440;
const QUARTER = 15;
const HOUR = 60;
const SHORT = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const clock = (minutes) => [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
const minutesOf = (input) => (input.value === '' ? NaN : input.valueAsNumber / 60_000);

// A day's hours are a list of 96 quarter hours that are open or not.
const none = () => Array(DAY / QUARTER).fill(false);
const pairsIn = (day) => [...day.querySelectorAll('.from-to')].map((pair) => [...pair.querySelectorAll('input')]);

function read(day) {
  const quarters = none();
  if (!day.querySelector('[type="checkbox"]').checked) return quarters;
  for (const [from, to] of pairsIn(day)) quarters.fill(true, minutesOf(from) / QUARTER || 0, endOf(from, to) / QUARTER || 0);
  return quarters;
}

// An incomplete pair opens nothing.
const endOf = (from, to) => (from.value === '' ? 0 : minutesOf(to) === 0 ? DAY : minutesOf(to));

function rangesOf(quarters) {
  const ranges = [];
  for (const [index, isOpen] of quarters.entries()) {
    if (!isOpen) continue;
    if (quarters[index - 1]) ranges.at(-1)[1] += QUARTER;
    else ranges.push([index * QUARTER, (index + 1) * QUARTER]);
  }
  return ranges;
}

function draw(day, quarters) {
  day.querySelector('svg').replaceChildren(
    ...rangesOf(quarters).map(([from, to]) => {
      const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      rect.setAttribute('x', `${(from / DAY) * 100}%`);
      rect.setAttribute('width', `${((to - from) / DAY) * 100}%`);
      return rect;
    }),
  );
}

function write(day, quarters) {
  if (String(read(day)) === String(quarters)) return;
  const ranges = rangesOf(quarters);
  day.querySelector('[type="checkbox"]').checked = ranges.length > 0;
  // A day that is closed keeps its times, for when it is opened again.
  if (ranges.length === 0) return;
  while (pairsIn(day).length < ranges.length) {
    const last = [...day.querySelectorAll('.from-to')].at(-1);
    last.after(last.cloneNode(true));
  }
  for (const pair of [...day.querySelectorAll('.times > .from-to')].slice(Math.max(ranges.length, 1))) pair.remove();
  for (const [index, pair] of pairsIn(day).entries()) {
    const [from, to] = ranges[index] ?? [];
    pair[0].value = from === undefined ? '' : clock(from);
    pair[1].value = to === undefined ? '' : clock(to % DAY);
    for (const input of pair) input.ariaLabel = input.ariaLabel.replace(/( \(\d+\))?$/, index > 0 ? ` (${index + 1})` : '');
  }
  for (const details of day.querySelectorAll('details'))
    details.open = [...details.querySelectorAll('input')].some(({ value }) => value !== '');
}

for (const grid of document.querySelectorAll('.hours')) {
  const days = [...grid.querySelectorAll('.day')];
  const label = grid.querySelector('.painting');
  const status = grid.querySelector('[role="status"]');
  const look = () => {
    for (const day of days) draw(day, read(day));
  };
  const change = (week) => {
    for (const [index, day] of days.entries()) write(day, week[index]);
    grid.dispatchEvent(new Event('input', { bubbles: true }));
  };

  // An error is about what was sent, so it goes when that is changed.
  grid.addEventListener('input', ({ target }) => {
    const part = grid.querySelector(':scope > .error') === null ? (target.closest('.day') ?? grid) : grid;
    for (const error of part.querySelectorAll('.error')) error.remove();
    for (const field of part.querySelectorAll('[aria-invalid]')) {
      field.removeAttribute('aria-invalid');
      field.removeAttribute('aria-describedby');
    }
    look();
  });
  // Without this script the server refuses other times: a browser would refuse them in silence where it doesn't show them.
  for (const input of grid.querySelectorAll('[type="time"]')) input.step = (QUARTER * 60).toString();
  for (const details of grid.querySelectorAll('details'))
    details.addEventListener('toggle', () => {
      if (details.querySelector(':invalid') !== null) details.open = true;
    });
  // Browsers may put back what was typed before the page was reloaded.
  look();

  for (const button of grid.querySelectorAll('[data-hours]'))
    button.addEventListener('click', () => {
      const { hours } = button.dataset;
      const week = days.map(read);
      if (hours === 'monday') week.fill(week[0], 1, 5);
      else {
        const all = days.flatMap(none);
        for (const [, from, to] of hours.matchAll(/(\d+),(\d+)/g)) all.fill(true, from / QUARTER, to / QUARTER);
        for (const index of days.keys()) week[index] = all.slice((index * DAY) / QUARTER, ((index + 1) * DAY) / QUARTER);
      }
      change(week);
      status.textContent = `Filled in: ${button.textContent}`;
    });

  // Painting opens or closes the full hours in the rectangle between two places: the first one decides which.
  let paint;
  const placeOf = ({ clientX, clientY }) => {
    const { left, width } = days[0].querySelector('.track').getBoundingClientRect();
    const day = days.findIndex((day) => clientY < day.getBoundingClientRect().bottom);
    const hour = Math.floor(((clientX - left) / width) * 24);
    return { day: day === -1 ? 6 : day, hour: Math.min(Math.max(hour, 0), 23) };
  };
  const move = (event) => {
    const to = placeOf(event);
    const [first, last] = [paint.from.day, to.day].sort((one, other) => one - other);
    const [start, end] = [Math.min(paint.from.hour, to.hour) * HOUR, (Math.max(paint.from.hour, to.hour) + 1) * HOUR];
    paint.week = paint.before.map((quarters, day) =>
      day < first || day > last ? quarters : [...quarters].fill(paint.opens, start / QUARTER, end / QUARTER),
    );
    for (const [index, day] of days.entries()) draw(day, paint.week[index]);
    label.textContent = `${paint.opens ? 'Open' : 'Close'} ${first === last ? SHORT[first] : `${SHORT[first]}–${SHORT[last]}`} ${clock(start)}–${clock(end)}`;
    const { left, top, width } = grid.querySelector('.week').getBoundingClientRect();
    label.hidden = false;
    label.style.left = `${Math.min(event.clientX - left, width - label.offsetWidth)}px`;
    label.style.top = `${event.clientY - top}px`;
  };
  const end = () => {
    paint = undefined;
    label.hidden = true;
    look();
  };
  for (const track of grid.querySelectorAll('.track')) {
    track.addEventListener('pointerdown', (event) => {
      // A finger scrolls the page.
      if (event.pointerType === 'touch' || event.button !== 0) return;
      event.preventDefault();
      track.setPointerCapture(event.pointerId);
      const before = days.map(read);
      const from = placeOf(event);
      const hour = before[from.day].slice((from.hour * HOUR) / QUARTER, ((from.hour + 1) * HOUR) / QUARTER);
      paint = { before, from, opens: hour.includes(false) };
      move(event);
    });
    track.addEventListener('pointermove', (event) => paint && move(event));
    track.addEventListener('pointerup', () => {
      if (paint === undefined) return;
      change(paint.week);
      end();
    });
    track.addEventListener('pointercancel', end);
  }
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && paint) end();
  });
}
