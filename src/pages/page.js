// Puts the reader's own time beside each time in UTC. Nothing needs it.
for (const time of document.querySelectorAll('.moment time')) {
  const local = document.createElement('span');
  local.className = 'local';
  local.textContent = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  local.title = 'your time';
  time.after(' ', local);
}
