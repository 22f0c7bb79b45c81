import type { DocumentNode } from 'graphql';

const firsts = new WeakMap<DocumentNode, DocumentNode>();

/** Notes that a document was parsed twice, because two requests brought it at the same time: both share their plans. */
export const noteEqual = (document: DocumentNode, first: DocumentNode): void => void firsts.set(document, first);

/** The first of the documents that are equal to this one. */
export const firstOf = (document: DocumentNode): DocumentNode => firsts.get(document) ?? document;
