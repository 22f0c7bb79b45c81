/** Makes the URLs of stored files. */
export interface AssetLinks {
  /** On this server: {asset_base_url}/assets/<bucket>/<key>. */
  ofAsset(key: string): string;
  /** For sharing: {cdn_host}/<key>. */
  ofShare(key: string): string;
}

export const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/');

export const assetLinks = ({
  baseUrl,
  cdnHost,
  bucket,
}: {
  baseUrl: string;
  cdnHost: string;
  bucket: string;
}): AssetLinks => ({
  ofAsset: (key) => `${baseUrl}/assets/${bucket}/${encodeKey(key)}`,
  ofShare: (key) => `${cdnHost}/${encodeKey(key)}`,
});
