/** The schema of a moment as OAuth tells it. */
export const unixTime = { type: 'integer', description: 'Unix time in seconds.' };

/** @param dateTime as GraphQL tells it, whose own integers end in 2038 */
export const unixSeconds = (dateTime: string): number => Math.floor(Date.parse(dateTime) / 1000);
