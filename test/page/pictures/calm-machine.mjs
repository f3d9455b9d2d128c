// Loaded first by the services of the pictures: their computer has eight processors, and little to do. That of whoever
// takes the pictures is busy with taking them.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const [processor] = os.cpus();
os.cpus = () => Array.from({ length: 8 }, () => processor);
os.loadavg = () => [3.44, 3.1, 2.72];
syncBuiltinESMExports();
