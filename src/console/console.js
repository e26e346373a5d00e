// Adds the reader's own time to each time in UTC, unless it is the same. Its day is left out if it is today, and on a wide screen
// if the UTC time above shows the same day. On a narrow screen this time replaces the one in UTC.
const now = new Date();
for (const time of document.querySelectorAll('.moment time')) {
  const at = new Date(time.dateTime);
  if (at.getTimezoneOffset() === 0) continue;
  const local = document.createElement('span');
  const year = at.getFullYear() === now.getFullYear() ? undefined : 'numeric';
  local.className = 'local';
  local.title = `Your time. ${time.textContent}`;
  if (at.toDateString() !== now.toDateString()) {
    const day = document.createElement('span');
    day.className = at.getDate() === at.getUTCDate() ? 'day same' : 'day';
    day.textContent = `${at.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year })}, `;
    local.append(day);
  }
  local.append(at.toLocaleTimeString(undefined, { timeStyle: 'short' }));
  time.after(' ', local);
}

// Adds a copy button to each text that people paste elsewhere. Without scripts they can still select it.
for (const source of document.querySelectorAll('[data-copy]')) {
  if (navigator.clipboard === undefined) break;
  const button = document.createElement('button');
  const status = document.createElement('span');
  button.type = 'button';
  button.className = 'quiet copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${source.dataset.copy}`);
  status.className = 'hidden';
  status.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.textContent).then(
      () => (status.textContent = 'Copied'),
      () => (status.textContent = 'Copy failed: select the text'),
    );
    button.textContent = status.textContent;
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  source.after(button, status);
}
