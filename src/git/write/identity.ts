/** Characters that end the name or address in a commit, and control characters. */
// oxlint-disable-next-line no-control-regex -- they are what it removes
const broken = /[<>\u0000-\u001f\u007f]/g;
/** What git strips from both ends of a name. */
const crud = /^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g;

/** Who makes a commit or tag, and when. */
export interface Identity {
  readonly name: string;
  readonly email: string;
  readonly at: Date;
  /** Offset as `+0300`; `+0000` if omitted. */
  readonly zone?: string;
}

/** The line of a person in a commit, without what would break it: a person without a name is called by the address. */
export function personLine({ name, email, at, zone = '+0000' }: Identity): string {
  const address = email.replace(broken, '').replaceAll(/\s/g, '').toWellFormed();
  const called =
    name.replace(broken, ' ').replace(crud, '').replaceAll(/ {2,}/g, ' ').toWellFormed() || address || 'unknown';
  return `${called} <${address}> ${Math.max(0, Math.floor(at.getTime() / 1000))} ${zone}`;
}
