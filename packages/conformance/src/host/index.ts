// The suite for loops over `@spec/hooks/host`: which cases their table claims, and the part of the subject that is alike in all of them.

export type { Claims } from './claims.ts';
export { findBrokenClaims, findClaimed, findUnclaimed } from './claims.ts';
export type { HostedLoop, HostedOptions, HostedPlace, HostedTrial } from './host-subject.ts';
export { makeHostSubject } from './host-subject.ts';
