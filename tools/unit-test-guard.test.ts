import { execFile, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';

import { createTestDatabase } from '../prisma/src/testing/test-database.ts';

describe('a unit test', () => {
  it('starts no process', () => {
    expect(() => spawn('true')).toThrow('starts a process');
    expect(() => execFile('true')).toThrow('starts a process');
    expect(() => spawnSync('true')).toThrow('starts a process');
  });

  it('listens on no port', () => {
    expect(() => createServer().listen(0)).toThrow('listens on a port');
  });

  it('opens no connection', () => {
    expect(() => connect(1, '127.0.0.1')).toThrow('opens a connection');
  });

  it('gets no database', async () => {
    await expect(createTestDatabase()).rejects.toThrow('opens a connection');
  });
});
