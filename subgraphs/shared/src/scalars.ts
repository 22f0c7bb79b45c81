import { DateTimeISOResolver, JSONObjectResolver, LocalDateResolver } from 'graphql-scalars';

/** The scalars that every subgraph knows: text on the wire, checked on the way in. */
export const scalars = { DateTime: DateTimeISOResolver, Date: LocalDateResolver, JSON: JSONObjectResolver };
