/** Makes the addresses of stored files. */
export interface AssetLinks {
  /** On this house: {asset_base_url}/assets/<bucket>/<key>. */
  ofAsset(key: string): string;
  /** For anyone: {cdn_host}/<key>. */
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
