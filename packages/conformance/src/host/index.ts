// The suite for loops over `@spec/hooks/host`: which cases their table claims, and the part of the subject that is alike in all of them.

export { findClaimed } from './claimed-cases.ts';
export type { HostedLoop, HostedOptions, HostedPlace, HostedTrial } from './host-subject.ts';
export { makeHostSubject } from './host-subject.ts';
export type { Claims } from './judge-claims.ts';
export { findBrokenClaims, findUnclaimed } from './judge-claims.ts';
