// MOVED to ../messages/projection.ts by the lead (the transcript's entries hold changes, and messages ranks below context). Edit it there.
export type * from '../messages/projection.ts';
export * from '../messages/projection.ts';
