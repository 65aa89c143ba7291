/** JSON Schema of a time in OAuth records. */
export const unixTime = { type: 'integer', description: 'Unix time in seconds.' };

/** @param dateTime ISO 8601 from GraphQL, whose 32-bit integers would overflow in 2038 */
export const unixSeconds = (dateTime: string): number => Math.floor(Date.parse(dateTime) / 1000);
