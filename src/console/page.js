// Puts the reader's own time beside each time in UTC, unless it is the same. Nothing needs it. The day is left out where it is
// today's, and on a wide screen where the time in UTC, which stands above, has it; on a narrow one this time stands for both.
const now = new Date();
for (const time of document.querySelectorAll('.moment time')) {
  const at = new Date(time.dateTime);
  if (at.getTimezoneOffset() === 0) continue;
  const local = document.createElement('span');
  const year = at.getFullYear() === now.getFullYear() ? undefined : 'numeric';
  local.className = 'local';
  local.title = `your time; ${time.textContent}`;
  if (at.toDateString() !== now.toDateString()) {
    const day = document.createElement('span');
    day.className = at.getDate() === at.getUTCDate() ? 'day same' : 'day';
    day.textContent = `${at.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year })}, `;
    local.append(day);
  }
  local.append(at.toLocaleTimeString(undefined, { timeStyle: 'short' }));
  time.after(' ', local);
}

// Puts a button beside each text that is to be pasted elsewhere. Without it the text can be selected.
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
      () => (status.textContent = 'Not copied: select the text'),
    );
    button.textContent = status.textContent;
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  source.after(button, status);
}
