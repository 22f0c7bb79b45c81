// Mercurius as a gateway, with its just-in-time compiler.
import gateway from '@mercuriusjs/gateway';
import Fastify from 'fastify';

const app = Fastify();
const services = JSON.parse(process.env.SERVICES);
await app.register(gateway, {
  jit: 1,
  gateway: { services: Object.entries(services).map(([name, url]) => ({ name, url })) },
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
