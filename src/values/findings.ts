/** The result of one check of `causeway doctor`. */
export interface Finding {
  readonly name: string;
  /** `problem`: the gateway doesn't work or breaks its guarantees. `warning`: the operator may intend this. */
  readonly status: 'ok' | 'warning' | 'problem';
  readonly says: string;
  /** What the operator can do about it; absent for `ok`. */
  readonly remedy?: string;
}
