const units = ['bytes', 'KiB', 'MiB', 'GiB'];

/** A size in words: `3.4 MiB`. @param bytes a whole number */
export function sizeOf(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const shown = bytes / 1024 ** power;
  return `${power === 0 ? shown : shown.toFixed(1)} ${units[power]}`;
}
