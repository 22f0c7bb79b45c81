/** Scripts for a page: what Uppy's Golden Retriever has written down in the browser, to go on with after a reload. */

/** Counts the files that the browser has written down to continue with. */
export const filesKept = `new Promise((resolve) => {
  indexedDB.open('uppy-blobs').onsuccess = ({ target: { result } }) => {
    result.transaction('files').objectStore('files').count().onsuccess = ({ target }) => resolve(target.result);
  };
})`;

export const forgetFiles = `new Promise((resolve) => {
  indexedDB.open('uppy-blobs').onsuccess = ({ target: { result } }) => {
    result.transaction('files', 'readwrite').objectStore('files').clear().onsuccess = resolve;
  };
}).then(() => undefined)`;

/** What the browser has written down of its list of files. */
export const keptList = `new Promise((resolve) => {
  indexedDB.open('uppy-blobs').onsuccess = ({ target: { result } }) => {
    result.transaction('metadata').objectStore('metadata').getAll().onsuccess = ({ target }) => resolve(target.result);
  };
})`;
export const namesKept = `${keptList}.then((lists) =>
  lists.flatMap(({ metadata }) => Object.values(JSON.parse(metadata).files).map(({ name }) => name)),
)`;

export const writeList = (list: unknown) => `new Promise((resolve) => {
  indexedDB.open('uppy-blobs').onsuccess = ({ target: { result } }) => {
    const writing = result.transaction('metadata', 'readwrite');
    for (const one of ${JSON.stringify(list)}) writing.objectStore('metadata').put(one);
    writing.oncomplete = () => resolve();
  };
})`;
