/** A person, a milestone or a label inside a row: as JSON, its times are texts. */
type Timed = { readonly createdAt: string; readonly updatedAt?: string };
export const withTimes = <Row>(one: Timed): Row =>
  ({
    ...one,
    createdAt: new Date(one.createdAt),
    ...(one.updatedAt !== undefined && { updatedAt: new Date(one.updatedAt) }),
  }) as Row;
export const orNull = <Row>(one: Timed | null): Row | null => one && withTimes<Row>(one);
